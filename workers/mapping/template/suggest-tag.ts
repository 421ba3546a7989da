/** What other template languages call the payload itself. */
const PREFIX = /^(?:req(?:uest)?\.body|\$json(?:\.body)?|\$(?:\.body)?|body|payload|json|input)\.(?=.)/;

const ROOTED = /^(?:(?:webhook|item)\b|request\.(?:method|contentType|query|headers)\b)/;

const BLOCK = /^(if|unless|each|with)\s+(\S.*)$/;

/**
 * Returns what to write instead of a name that starts with none of `webhook`, `item` and `request`. Translates the helpers of Handlebars,
 * and what other tools call the payload (`body`, `$json`).
 */
export function suggestTag(text: string): string {
  const block = BLOCK.exec(text);
  if (block) {
    const path = inPayload((block[2] as string).trim());
    const mark = block[1] === 'unless' ? '^' : '#';
    return `{{${mark}${path}}}…{{/${path}}}, because Mustache has no {{#${block[1]}}}`;
  }
  if (text === 'else') return '{{^webhook.x}}…{{/webhook.x}} for the else branch';
  if (text === 'this') return '{{.}}, inside a section';
  if (text.startsWith('this.')) return `{{${text.slice('this.'.length)}}}, inside a section`;
  return inPayload(text);
}

function inPayload(text: string): string {
  if (ROOTED.test(text)) return text;
  return `webhook.${text.replace(PREFIX, '').replace(/^this\./, '')}`;
}
