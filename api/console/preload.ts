import { CURRENT_KEY } from './http/current-key.ts';
import { requestEarly } from './http/early-requests.ts';
import { requestJson } from './http/request.ts';
import { dataOf, preloadPage } from './page-code.ts';
import { openSession } from './session/open-session.ts';
import { currentKey, onSessionChange } from './session/session.ts';

// A small file that runs first: the code and the data of the page are loaded together with the frame, instead of after it.
preloadPage(location.pathname);

let isRequested = false;
function requestData(): void {
  const key = currentKey();
  if (isRequested || key === null) return;
  isRequested = true;
  for (const address of [CURRENT_KEY, ...dataOf(location.pathname)]) requestEarly(address, key, requestJson);
}

requestData();
onSessionChange(requestData);
void openSession();
