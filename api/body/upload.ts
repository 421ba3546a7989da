/** A stored upload. */
export interface Upload {
  key: string;
  bytes: number;
  /**
   * SHA-256 of the file without the multipart envelope: a client that repeats a request may choose another boundary.
   */
  digest: Buffer;
  /** Whether the file starts like a gzip file. */
  isGzip?: boolean;
  /** Whether the file starts like a zip file, which a workbook is. */
  isZip?: boolean;
  /** The name that the client gave the file. */
  fileName?: string | null;
  /** The charset that the request or its part declares. */
  charset?: string | undefined;
}
