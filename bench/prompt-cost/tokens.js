import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export const tokenizer = 'o200k_base';

// Marks such as <|endoftext|> are text here, as they are in a message.
export const tokensOf = (text) => (text === '' ? 0 : countTokens(text, { disallowedSpecial: new Set() }));
