import { openLink } from './session.ts';

/** Returns whether a path is that of the page that an upload link opens. It has no session and no frame. */
export const isLinkPage = (path: string): boolean => /^\/upload\/?$/i.test(path);

/**
 * Takes the link of the address as the key of this page. It is in the fragment, which browsers send to no server. It stays there, so that a
 * reload opens the page again.
 */
export function openUploadLink(): void {
  const take = () => openLink(location.hash.slice(1) || null);
  window.addEventListener('hashchange', take);
  take();
}
