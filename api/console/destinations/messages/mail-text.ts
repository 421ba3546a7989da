import { presetOf } from '../presets.ts';

/** Returns a body as people read it: of a mail, which is stored as JSON, its subject and text. Null: the body is for programs. */
export function mailText(preset: string | undefined, body: string): string | null {
  if (preset === undefined || !presetOf(preset)?.isMail) return null;
  const mail: { subject: string; text: string } = JSON.parse(body);
  return `Subject: ${mail.subject}\n\n${mail.text}`;
}
