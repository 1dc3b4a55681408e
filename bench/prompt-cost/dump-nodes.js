// The nodes of a UIAutomator dump that a person would call labelled or actionable,
// found without Drover, so that what Drover keeps can be held against them.

const entity = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescape = (text) =>
  text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name) => {
    if (name[0] !== '#') return entity[name] ?? whole;
    const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

// Letters and digits alone: how labels are joined and tidied does not count.
export const lettersOf = (text) => text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

const clip = ([left, top, right, bottom], width, height) => [
  Math.max(left, 0), Math.max(top, 0), Math.min(right, width), Math.min(bottom, height)];
export const areaOf = ([left, top, right, bottom]) => Math.max(0, right - left) * Math.max(0, bottom - top);

export function nodesOf(dump, width, height) {
  const nodes = [];
  const open = [];
  for (const tag of dump.matchAll(/<(\/?)([A-Za-z][\w.$:-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g)) {
    const [, closes, , attributeText, empty] = tag;
    if (closes) {
      open.pop();
      continue;
    }
    const attributes = {};
    for (const [, name, a, b] of attributeText.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
      attributes[name] = unescape(a ?? b);
    }
    const parent = open.at(-1);
    const is = (name) => attributes[name] === 'true';
    const numbers = attributes.bounds?.match(/-?\d+/g)?.map(Number);
    const bounds = numbers?.length === 4 ? clip(numbers, width, height) : undefined;
    const node = {
      parent,
      bounds,
      hidden: parent?.hidden || attributes['visible-to-user'] === 'false' || attributes.displayed === 'false',
      keyboard: parent?.keyboard || is('text-entry-key') || /inputmethod|keyboard/i.test(attributes.package ?? ''),
      password: parent?.password || is('password'),
      label: [attributes.text ?? '', attributes['content-desc'] ?? ''].filter((text) => lettersOf(text) !== ''),
      shows_state: is('checkable') && !is('clickable') && !is('long-clickable') && !is('scrollable'),
      actionable: is('clickable') || is('long-clickable') || is('checkable') || is('scrollable') ||
        /EditText$/.test(attributes.class ?? ''),
    };
    if (bounds !== undefined && areaOf(bounds) > 0 && !node.hidden && !node.keyboard) nodes.push(node);
    if (!empty) open.push(node);
  }
  return nodes;
}

// What became of the nodes in a scene: { labelled, unsaid: [labels], actionable, merged, missing: [bounds] }.
// A label counts as said where its letters stand in the scene, an action where an element that can be acted on has its place.
export function compare(nodes, scene) {
  const words = scene.elements.map((e) => lettersOf([e.label, e.value, e.hint].filter(Boolean).join(' ')));
  const all = words.join('\n');
  const actionables = scene.elements.filter((e) => e.clickable || e.long_clickable || e.checkable || e.scrollable ||
    e.role === 'field');
  const result = { labelled: 0, unsaid: [], actionable: 0, merged: 0, missing: [] };
  const overlap = (a, b) => areaOf([Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]);
  const near = (a, b) => a.every((value, i) => Math.abs(value - b[i]) <= 1);
  for (const node of nodes) {
    if (node.label.length > 0 && !node.password) {
      ++result.labelled;
      // A long label is cut; its first letters stand for it.
      result.unsaid.push(...node.label.filter((text) => !all.includes(lettersOf(text).slice(0, 60))).slice(0, 1));
    }
    if (!node.actionable) continue;
    ++result.actionable;
    if (actionables.some((e) => near(e.bounds, node.bounds))) continue;
    // The same thing said once: an element that takes up most of the same place, or the
    // row whose state a switch shows that takes no taps of its own.
    const same = actionables.some((e) => {
      const shared = overlap(e.bounds, node.bounds);
      if (node.shows_state && e.checkable && shared === areaOf(node.bounds)) return true;
      return 2 * shared > areaOf(node.bounds) + areaOf(e.bounds) - shared;
    });
    if (same) ++result.merged;
    else result.missing.push(node.bounds);
  }
  return result;
}
