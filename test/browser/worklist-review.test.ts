import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../support/api/client.js';
import { insertIdentities } from '../support/api/identities.js';
import { sharedBrowser } from '../support/browser/browser.js';
import { expectFit, expectFitOnBoth } from '../support/browser/looked-at.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

const browser = sharedBrowser();
const PATH = '/v2/integrations/7/decisions';
const LONG = `long-${'name-'.repeat(39)}`;
let stack: Stack;
let key: string;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key('developer_records:read', 'developer_records:write');
  client = new Client(stack.url, key);
  await insertIdentities(stack.database, [
    { email: 'ada.lindqvist@example.com', integrationId: 8, identity: 'ada-l' },
    { email: 'jane.smith@example.com', integrationId: 8, identity: 'jsmith2' },
    { email: 'john.smith@example.com', integrationId: 8, identity: 'jsmith' },
  ]);
});
afterAll(() => stack.stop());

/** Makes a worklist of account system 7, and returns its job. */
async function worklist(rows: readonly string[]): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([`identity,name\n${rows.join('\n')}\n`]), 'accounts.csv');
  const { body } = await client.send('POST', '/v2/integrations/7/worklists', { body: form });
  await client.jobEnd(body.jobId);
  return body.jobId;
}

type Decision = Record<'identity' | 'decision' | 'email', string>;
const stored = async (): Promise<(string | null)[][]> =>
  (await client.get(PATH)).body.data.map(({ identity, decision, email }: Decision) => [
    identity,
    decision,
    email,
  ]);

test('a worklist is reviewed by keyboard alone, and the next one remembers', async () => {
  const accounts = ['ada-l,', 'jsmith,Jane Smith', 'dependabot,', 'نورا.الحسن,نورا الحسن', `${LONG},${LONG}`];
  const id = await worklist(accounts);
  const tab = await browser.open({ url: stack.url, key, path: `/jobs/${id}` });
  const { page } = tab;
  await page.getByRole('link', { name: 'Review accounts' }).press('Enter');
  const heading = page.getByRole('heading', { level: 2 });
  const said = page.getByTestId('announcer');
  const press = (...keys: string[]) =>
    keys.reduce((last, one) => last.then(() => page.keyboard.press(one)), Promise.resolve());
  await heading.getByText('ada-l', { exact: true }).waitFor();
  await page.getByText(/^0 of 5 ·/).waitFor();
  await page.getByText('nobody has decided about this rule yet').first().waitFor();

  await press('Enter');
  await heading.getByText('jsmith', { exact: true }).waitFor();
  expect(await said.innerText()).toMatch(
    /^ada-l, owner: ada\.lindqvist@example\.com\. Account 2 of 5: jsmith, Jane Smith\. Candidate /,
  );
  // The second candidate, then back to the first one, which is rejected.
  await press('b');
  expect(await page.getByRole('radio').nth(1).isChecked()).toBe(true);
  await press('a', '2');
  await page.getByText('not this person', { exact: false }).first().waitFor();
  await press('1');
  await heading.getByText('dependabot', { exact: true }).waitFor();
  await press('3', '4', '5');
  await page.getByText(/^5 of 5 ·/).waitFor();
  await press('u');
  await page.getByText(/^4 of 5 ·/).waitFor();
  await heading.getByText(LONG, { exact: true }).waitFor();
  await press('Control+z');
  await heading.getByText('نورا.الحسن', { exact: true }).waitFor();
  await page.getByText('2 owner, 1 bot, 2 open').waitFor();
  await page.getByText('All decisions are saved.').waitFor();
  expect(await stored()).toEqual([
    ['ada-l', 'owner', 'ada.lindqvist@example.com'],
    ['dependabot', 'bot', null],
    ['jsmith', 'owner', expect.any(String)],
    ['jsmith', 'not_this_person', expect.any(String)],
  ]);
  await press('?');
  await page.getByRole('dialog').getByText('Review: bot').waitFor();
  await press('Escape');
  await expectFitOnBoth(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectFit(page);

  await page.reload();
  await page.getByText('right 1 of 1, too few to tell').first().waitFor({ state: 'detached' });
  await page.getByText(/^3 of 5 ·/).waitFor();
  const next = (await client.get(`/v2/jobs/${await worklist(accounts)}/file`)).text.split('\n');
  expect(next[1]).toMatch(
    /^ada\.lindqvist@example\.com,7,ada-l,,,owner,ada\.lindqvist@example\.com,100,decided; /,
  );
  expect(next.some((line) => line.includes('dependabot'))).toBe(false);
});

test('a decision that cannot be sent stays, is told, and is sent when the network is back', async () => {
  const id = await worklist(['offline-1,', 'offline-2,']);
  const tab = await browser.open({ url: stack.url, key, path: `/identities/worklist/review?job=${id}` });
  tab.expectError(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  const { page } = tab;
  await page.getByRole('heading', { name: 'offline-1' }).waitFor();
  await page.context().setOffline(true);
  await page.keyboard.press('3');
  await page
    .getByText('Decisions about 1 account are not saved. They stay here and are sent again')
    .waitFor();
  await page.context().setOffline(false);
  await page.getByText('All decisions are saved.').waitFor();
  // Decided right before the page is left.
  await page.keyboard.press('4');
  await page.evaluate(`document.querySelector('header a').click()`);
  await until('the last decision is stored', async () =>
    (await stored()).some(([name]) => name === 'offline-2'),
  );
  expect(await stored()).toEqual(
    expect.arrayContaining([
      ['offline-1', 'bot', null],
      ['offline-2', 'left', null],
    ]),
  );
});

test('decisions are found, changed, taken back, exported and uploaded', async () => {
  await stack.database('worklist_decisions').truncate();
  await client.json('PUT', PATH, [
    { identity: 'ada-l', decision: 'owner', email: 'ada@example.com' },
    { identity: 'backup', decision: 'bot' },
  ]);
  const tab = await browser.open({ url: stack.url, key, path: '/identities/decisions?integrationId=7' });
  tab.expectError(/400/);
  const { page } = tab;
  await page.getByRole('button', { name: 'Change the decision about backup' }).click();
  await page.getByRole('dialog').getByLabel('Decision').selectOption('left');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await until('it is changed', async () => (await stored())[1]?.[1] === 'left');
  await page.getByRole('button', { name: 'Take back owner of ada-l' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await until('it is taken back', async () => (await stored()).length === 1);
  const upload = async (text: string) => {
    const file = { name: 'filled.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByLabel('CSV file').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload decisions' }).click();
  };
  await upload('identity,decision\nx,perhaps\n');
  await page.getByRole('region', { name: 'Errors' }).getByText('must be one of').waitFor();
  await upload('identity,decision\nx,bot\n');
  await page.getByText('1 row: 1 saved, 0 unchanged, 0 taken back.').waitFor();
  await expectFitOnBoth(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await downloading).suggestedFilename()).toBe('decisions-7.csv');
});
