import type { HtmlTagDescriptor, Plugin } from 'vite';
import { PRELOAD } from './chunks.ts';

/**
 * Makes pages load the font together with their style sheet, instead of after it, and run the small file that loads the code of the
 * page as soon as it is there, instead of after the large one that imports it.
 */
export function earlyFiles(): Plugin {
  return {
    name: 'early-files',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.entries(bundle).flatMap(([file, { type, name }]) => {
          if (file.endsWith('.woff2')) return [fontTag(`/console/${file}`)];
          return type === 'chunk' && name === PRELOAD ? [scriptTag(`/console/${file}`)] : [];
        }),
    },
  };
}

const fontTag = (href: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: '' },
  injectTo: 'head',
});

const scriptTag = (src: string): HtmlTagDescriptor => ({
  tag: 'script',
  attrs: { type: 'module', crossorigin: '', src },
  injectTo: 'head-prepend',
});
