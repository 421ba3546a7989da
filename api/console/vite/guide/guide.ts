import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { type GuidePage, guideName, renderPage } from './render.ts';

const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url));
const STYLE = fileURLToPath(new URL('guide.css', import.meta.url));

/** Writes the pages of `docs/` as HTML into `guide/` of the build, so that a running instance has the documentation of its version. */
export function guide(): Plugin {
  return {
    name: 'guide',
    generateBundle() {
      const style = this.emitFile({ type: 'asset', name: 'guide.css', source: readFileSync(STYLE, 'utf8') });
      for (const [name, page] of readGuide()) {
        const source = documentOf(page, `/console/${this.getFileName(style)}`);
        this.emitFile({ type: 'asset', fileName: `guide/${name}.html`, source });
      }
    },
  };
}

/** Returns the pages of the guide by name. */
export function readGuide(): Map<string, GuidePage> {
  const paths = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    paths.flatMap((path) => {
      const name = guideName(path);
      return name === null
        ? []
        : [[name, renderPage(path, readFileSync(`${DOCS}/${path}`, 'utf8'))] as const];
    }),
  );
}

const documentOf = ({ title, html }: GuidePage, style: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Muster</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
</head>
<body>
<header><a href="/">Muster</a> <nav aria-label="Documentation"><a href="/guide/console">The console</a> <a href="/guide/alerts">Alerts</a> <a
href="/guide/mapping">Mappings</a> <a href="/guide/importing">Identities</a> <a href="/guide/operating">Operating</a> <a href="/docs">API</a></nav></header>
<main>
${html}
</main>
</body>
</html>
`;
