// The vendors' OpenAPI documents, where they lie beside the checkout; they are no part of it.
import Ajv2020 from 'ajv/dist/2020.js';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { skip, source } from './places.mjs';

/**
 * A document as a validator can read it. `nullable` without a type beside it is no JSON Schema, and makes compilers
 * pass over what stands around it; beside an `enum` it means null as well. `oneOf` is used for alternatives of which
 * more than one may fit (a message of a user is an EasyInputMessage and an InputMessage), as generators of clients
 * take it.
 */
function readable(node) {
  if (Array.isArray(node)) return node.map(readable);
  if (node === null || typeof node !== 'object') return node;
  const members = Object.entries(node).filter(([name, value]) => {
    return !(name === 'nullable' && typeof value === 'boolean' && node.type === undefined);
  });
  if (node.nullable === true && Array.isArray(node.enum)) {
    return readable({ ...node, nullable: undefined, type: [node.type, 'null'], enum: [...node.enum, null] });
  }
  return Object.fromEntries(members.map(([name, value]) => [name === 'oneOf' ? 'anyOf' : name, readable(value)]));
}

/** Gives, for the name of a schema in the document `vendor`.json, a function that lists what is wrong with a value. */
export function schemasOf(vendor) {
  const folder = process.env.DROVER_OPENAPI ?? join(source, '..', 'shared', 'data', 'openapi');
  const file = join(folder, `${vendor}.json`);
  if (!existsSync(file)) {
    skip(`there is no OpenAPI document ${vendor}.json; DROVER_OPENAPI names the folder that has one`);
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });
  const { components } = readable(JSON.parse(readFileSync(file, 'utf8')));
  ajv.addSchema({ $id: vendor, components });
  return (name) => {
    const check = ajv.getSchema(`${vendor}#/components/schemas/${name}`);
    if (!check) throw new Error(`${vendor}.json has no schema ${name}`);
    return (value) => (check(value) ? [] : check.errors.map((error) => `${error.instancePath} ${error.message}`));
  };
}
