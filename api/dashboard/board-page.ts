import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns a page that loads bull-board's scripts and styles. Its own page loads fonts from another site, and has inline
 * styles and attributes that our content security policy blocks, so only the names of its files are taken from it.
 * @param folder the folder of bull-board's built page
 * @param params the values that bull-board inserts into its page; `uiConfig` is JSON without angle brackets
 * @throws Error if the built page does not have the expected format
 */
export function boardPage(folder: string, params: Record<string, string>): string {
  const built = readFileSync(join(folder, 'index.ejs'), 'utf8');
  const styles = built.match(/<link href="static\/css\/[^"]+" rel="stylesheet">/g);
  const scripts = built.match(/<script defer src="static\/js\/[^"]+"><\/script>/g);
  if (!styles || !scripts) throw new Error('the page of @bull-board/ui is not as expected');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base href="${params.basePath}">
<title>${params.title}</title>
<link rel="icon" type="image/svg+xml" href="${params.favIconDefault}">
${styles.join('\n')}
</head>
<body>
<script id="__UI_CONFIG__" type="application/json">${params.uiConfig}</script>
<div id="root">Loading</div>
${scripts.join('\n')}
</body>
</html>
`;
}
