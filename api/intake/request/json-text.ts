import { badRequest, unsupportedMedia } from '../../http/errors.js';
import { charsetOf, declaredCharset, toUtf8, withoutMark } from './charset.js';
import { findFault, malformedJson } from './document.js';
import { formJson, isForm, startsLikeMarkup } from './form.js';
import { ACCEPTED } from './multipart.js';

const HYPHEN = 0x2d;
const XML_TYPE = /^\s*(?:application|text)\/(?:[a-z0-9.-]{1,60}\+)?xml\s*(?:;|$)/i;

/**
 * Returns the JSON text of a body that is one JSON document of any type, whatever its content type, or a form with one.
 * @param limit the most bytes that the text may have in UTF-8, where it can be longer than the body
 * @throws RequestError 400 `empty_body`, `malformed_json`, `malformed_body`, `too_deep` or one of a charset, 413 or 415
 */
export function jsonText(body: Buffer, contentType: string | undefined, limit: number): string {
  if (body.length === 0) throw badRequest('empty_body', 'The body is empty. Send a JSON document.');
  const declared = declaredCharset(contentType);
  const text = toUtf8(body, declared, limit);
  const document = withoutMark(text);
  const fault = findFault(document);
  if (fault === null) return text.toString('utf8');
  if (isForm(contentType, document)) {
    // Escaped bytes are in the declared charset, but no escape writes UTF-16.
    const charset = charsetOf(body, declared);
    const isWide = charset?.startsWith('utf-16') ?? false;
    return isWide ? formJson(document, 'utf-8', limit) : formJson(body, declared, limit);
  }
  rejectXml(contentType);
  if (startsLikeMarkup(document))
    throw unsupportedMedia(
      `The body begins like ${document[0] === HYPHEN ? 'a multipart body, but the `Content-Type` does not say so' : 'XML'}. ${ACCEPTED}`,
    );
  throw malformedJson(document, fault);
}

/** @throws RequestError 415 if a body has the type of XML */
export function rejectXml(contentType: string | undefined): void {
  if (contentType !== undefined && XML_TYPE.test(contentType))
    throw unsupportedMedia(`The body is ${contentType.split(';')[0]?.trim()}. ${ACCEPTED}`);
}
