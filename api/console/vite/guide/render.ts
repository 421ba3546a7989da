import { Marked } from 'marked';

export interface GuidePage {
  title: string;
  /** The content as HTML. */
  html: string;
  /** The IDs of its headings, which links can name. */
  anchors: readonly string[];
}

/**
 * Returns the name of a page in its address, such as `operating-backup` for `operating/backup.md`. Null for other files of
 * the project, and for the reasons for its architecture.
 */
export function guideName(path: string): string | null {
  if (!path.endsWith('.md') || path.startsWith('../') || path.startsWith('architecture/')) return null;
  return path.slice(0, -'.md'.length).replaceAll('/', '-');
}

/** Renders a Markdown file of `docs/`. `path` is its path there. Links to what the guide does not have become text, and pictures are left out. */
export function renderPage(path: string, markdown: string): GuidePage {
  const anchors: string[] = [];
  let title = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        if (depth === 1) title ||= text;
        const id = freeAnchor(anchorOf(text), anchors);
        anchors.push(id);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const address = addressOf(href, path);
        const text = this.parser.parseInline(tokens);
        return address === null ? text : `<a href="${address}">${text}</a>`;
      },
      image: () => '',
      html: ({ text }) => text.replaceAll('<', '&lt;'),
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, html, anchors };
}

/** Returns the ID of a heading as GitHub makes it. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/&[a-z0-9#]+;/g, '')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

function freeAnchor(wanted: string, taken: readonly string[]): string {
  let anchor = wanted;
  for (let number = 1; taken.includes(anchor); number++) anchor = `${wanted}-${number}`;
  return anchor;
}

/** Returns the address of a link in the page at `from`; null if it leads out of the guide. */
function addressOf(href: string, from: string): string | null {
  if (/^(https:|http:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, new URL(from, 'file:///docs/'));
  const [, relative] = pathname.split('/docs/');
  const name = relative ? guideName(relative) : null;
  return name === null ? null : `/guide/${name}${hash}`;
}
