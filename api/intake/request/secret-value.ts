/** A shorter text is neither a JSON Web Token nor a key that is hard to guess. */
const MIN_LENGTH = 32;
const JWT = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8}/;
const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;
/** The usual id of a delivery, told apart with one cheap test. */
const WHOLE_UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const LONG_WORD = /[\w+/=-]{32,}/g;
const CHANGE = /[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g;
/** Of the neighbours in random base62, 62% are of different classes; in base36 40%; in words, numbers and versions below 30%. */
const RANDOM_SHARE = 0.35;

/**
 * Returns whether a value looks like a secret, whatever its name: a JSON Web Token, or 32 characters or more without a space that
 * change between lower case, upper case and digits as often as random text. UUIDs are ids, not secrets.
 */
export function looksSecret(value: string): boolean {
  if (value.length < MIN_LENGTH || WHOLE_UUID.test(value)) return false;
  if (value.includes('eyJ') && JWT.test(value)) return true;
  return value.match(LONG_WORD)?.some((word) => isRandom(word) && isRandom(word.replace(UUID, ''))) ?? false;
}

const isRandom = (word: string): boolean =>
  word.length >= MIN_LENGTH && (word.match(CHANGE)?.length ?? 0) > RANDOM_SHARE * word.length;
