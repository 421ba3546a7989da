import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The format of earlier releases: it has no key id. */
const VERSION_1 = 1;
const VERSION_2 = 2;
const ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

interface SecretKey {
  /** Distinguishes keys, and reveals nothing about them. */
  id: Buffer;
  key: Buffer;
}

/** Which key of a box can open a sealed value. */
export type SealedState = 'current' | 'old' | 'unreadable';

/**
 * Encrypts small secrets at rest, with AES-256-GCM and a key derived from `SECRET_KEY`. Also decrypts secrets of the old
 * key.
 */
export class SecretBox {
  readonly #current: SecretKey;
  readonly #keys: readonly SecretKey[];

  /** @param oldSecretKey the key before a rotation, used for decryption only */
  constructor(secretKey: string, oldSecretKey?: string) {
    this.#current = derive(secretKey);
    this.#keys = oldSecretKey === undefined ? [this.#current] : [this.#current, derive(oldSecretKey)];
  }

  /**
   * Encrypts a text. Returns version, key id, nonce, tag and ciphertext.
   * @param owner must be the same for decryption, so a secret cannot be moved to another owner
   */
  seal(text: string, owner: string): Buffer {
    const { id, key } = this.#current;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION_2), id, iv, cipher.getAuthTag(), sealed]);
  }

  /** Decrypts a text. Returns null if this box does not have its key, it belongs to another owner, or it is damaged. */
  open(sealed: Buffer, owner: string): string | null {
    const { id, rest } = splitSealed(sealed);
    for (const one of this.#keys) {
      if (id !== null && !one.id.equals(id)) continue;
      const text = decrypt(one.key, rest, owner);
      if (text !== null) return text;
    }
    return null;
  }

  /** Returns whether a value can be decrypted, and by which key. */
  stateOf(sealed: Buffer, owner: string): SealedState {
    if (this.open(sealed, owner) === null) return 'unreadable';
    return splitSealed(sealed).id?.equals(this.#current.id) ? 'current' : 'old';
  }
}

function derive(secretKey: string): SecretKey {
  const bytes = (info: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secretKey, '', info, length));
  return { id: bytes('muster secret key id', ID_BYTES), key: bytes('muster secrets at rest', 32) };
}

/** Returns the key id of a sealed value, null if it has none, and the rest: nonce, tag and ciphertext. */
function splitSealed(sealed: Buffer): { id: Buffer | null; rest: Buffer } {
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
