import { launchChromium } from '../browser/chromium.js';

/** Starts Chromium with a page, prints the ids of its processes, and holds it until this process is killed. */
const browser = await launchChromium();
await browser.newPage();
const session = await browser.newBrowserCDPSession();
const { processInfo } = await session.send('SystemInfo.getProcessInfo');
console.log(JSON.stringify(processInfo.map(({ id }) => id)));
