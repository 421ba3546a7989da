import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The page that starts bull-board, with the names that its parts have in this release. Its own page takes fonts from
 * another site and has styles and attributes in it that our policy refuses: of it only the parts are taken.
 * @param folder where the built page lies
 * @param params what bull-board puts into its page; `uiConfig` is JSON without angle brackets
 * @throws Error when that page names no parts, because it is built otherwise
 */
export function boardPage(folder: string, params: Record<string, string>): string {
  const built = readFileSync(join(folder, 'index.ejs'), 'utf8');
  const styles = built.match(/<link href="static\/css\/[\w./-]+" rel="stylesheet">/g);
  const scripts = built.match(/<script defer src="static\/js\/[\w./-]+"><\/script>/g);
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
