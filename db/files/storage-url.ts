/**
 * Returns why files cannot be stored at a URL, as the end of a sentence that starts with the setting's name; null if
 * they can.
 */
export function storageUrlError(url: string): string | null {
  if (!URL.canParse(url)) return 'must be file:///folder or s3://bucket/prefix';
  const { protocol, hostname, pathname } = new URL(url);
  if (protocol === 'file:') return hostname === '' ? null : 'must have three slashes: file:///folder';
  if (protocol !== 's3:') return `cannot store files at ${protocol} (known: file:, s3:)`;
  if (hostname === '') return 'must name a bucket: s3://bucket/prefix';
  if (/^\/*$/.test(pathname))
    return `must name a prefix in the bucket, such as s3://${hostname}/muster: the rest of the bucket may hold files of others`;
  return null;
}
