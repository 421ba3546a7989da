import { CURRENT_KEY, HEALTH } from './http/addresses.ts';
import { requestEarly } from './http/early-requests.ts';
import { requestJson } from './http/request.ts';
import type { ApiKey, One } from './http/types.ts';
import { dataOf, preloadPage, showsFiring } from './page-code.ts';
import { openSession } from './session/open-session.ts';
import { currentKey, onSessionChange } from './session/session.ts';
import { isLinkPage, openUploadLink } from './session/upload-link.ts';

// A small file that runs first: the code and the data of the page are loaded together with the frame, instead of after it.

/** How long the code waits for the session, in milliseconds. */
const SESSION_MS = 20;

let isRequested = false;
function requestData(): void {
  const key = currentKey();
  if (isRequested || key === null) return;
  isRequested = true;
  void requestForKey(key);
  for (const address of dataOf(location.pathname)) void requestEarly(address, key, requestJson);
}

/** Requests the scopes of the key, and then what it may read. */
async function requestForKey(key: string): Promise<void> {
  const current = await requestEarly(CURRENT_KEY, key, requestJson<One<ApiKey>>).catch(() => null);
  const mayCount = current?.data.scopes.includes('alerts:read');
  if (mayCount && showsFiring(location.pathname) && currentKey() === key)
    void requestEarly(HEALTH, key, requestJson);
}

/** Loads the code of the page once the session is known. A browser sends few requests at a time, and those for data are small. */
async function loadCode(opened: Promise<void>): Promise<void> {
  await Promise.race([opened, new Promise((resolve) => setTimeout(resolve, SESSION_MS))]);
  preloadPage(location.pathname);
}

if (isLinkPage(location.pathname)) openUploadLink();
else {
  requestData();
  onSessionChange(requestData);
  void loadCode(openSession());
}
