/**
 * Returns a text in which Markdown finds no link with another text and no image: a sender of alerts could make them look like links of
 * Muster. A space without width parts the text of a link from its target, also where that is defined elsewhere: `[text]: target`.
 */
export const withoutLinks = (text: string): string => text.replace(/\](?=[(:])/g, ']\u200b');

/** Returns an item of a list in Markdown, with a link. */
export const listItem = ({ text, link }: { text: string; link: string | null }): string =>
  `- ${text}${link ? ` [Open](${link})` : ''}`;
