import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Without a key id: what releases up to now have written. */
const VERSION_1 = 1;
const VERSION_2 = 2;
const ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface SecretKey {
  /** Tells keys apart; says nothing about the key. */
  id: Buffer;
  key: Buffer;
}

/** How a sealed value relates to the keys that a box has. */
export type SealedState = 'current' | 'old' | 'unreadable';

/** Encrypts small secrets at rest: AES-256-GCM under a key derived from `SECRET_KEY`. Opens what the old key sealed, too. */
export class SecretBox {
  readonly #current: SecretKey;
  readonly #keys: readonly SecretKey[];

  /** @param oldSecretKey the key before a rotation: opens, and seals nothing */
  constructor(secretKey: string, oldSecretKey?: string) {
    this.#current = derive(secretKey);
    this.#keys = oldSecretKey === undefined ? [this.#current] : [this.#current, derive(oldSecretKey)];
  }

  /**
   * Returns version, key id, nonce, tag, ciphertext. `owner` must be the same when it is opened: a secret cannot be moved
   * to another owner.
   */
  seal(text: string, owner: string): Buffer {
    const { id, key } = this.#current;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION_2), id, iv, cipher.getAuthTag(), sealed]);
  }

  /** Returns the text; null if it was sealed with a key that this box does not have, for another owner, or was damaged. */
  open(sealed: Buffer, owner: string): string | null {
    const { id, rest } = takeApart(sealed);
    for (const one of this.#keys) {
      if (id !== null && !one.id.equals(id)) continue;
      const text = decrypt(one.key, rest, owner);
      if (text !== null) return text;
    }
    return null;
  }

  /** Tells whether a value can be read, and whether it should be sealed again with the current key. */
  stateOf(sealed: Buffer, owner: string): SealedState {
    if (this.open(sealed, owner) === null) return 'unreadable';
    return takeApart(sealed).id?.equals(this.#current.id) ? 'current' : 'old';
  }
}

function derive(secretKey: string): SecretKey {
  const bytes = (info: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secretKey, '', info, length));
  return { id: bytes('muster secret key id', ID_BYTES), key: bytes('muster secrets at rest', 32) };
}

/** Returns the id of the key that sealed it, null if it does not name one, and what follows: nonce, tag, ciphertext. */
function takeApart(sealed: Buffer): { id: Buffer | null; rest: Buffer } {
  if (sealed[0] === VERSION_1) return { id: null, rest: sealed.subarray(1) };
  if (sealed[0] !== VERSION_2) return { id: null, rest: Buffer.alloc(0) };
  return { id: sealed.subarray(1, 1 + ID_BYTES), rest: sealed.subarray(1 + ID_BYTES) };
}

function decrypt(key: Buffer, rest: Buffer, owner: string): string | null {
  if (rest.length < IV_BYTES + TAG_BYTES) return null;
  const iv = rest.subarray(0, IV_BYTES);
  const tag = rest.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
  try {
    const text = decipher.update(rest.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
