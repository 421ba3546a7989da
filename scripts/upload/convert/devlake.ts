import { UploadFailure } from '../failure.js';
import { csvRows } from './read-export.js';
import type { Converter } from './source-row.js';

/** The email of an account's owner is in `users.csv`, under the `UserId` that DevLake's `accounts.csv` names. */
export const devlake: Converter = {
  source: 'https://devlake.apache.org/docs/Configuration/TeamConfiguration, backend/plugins/org/api/types.go',
  hasSystems: true,
  async *read(file, users) {
    if (!users)
      throw new UploadFailure('--from devlake needs --users users.csv, the owners of the accounts.');
    const emails = new Map<string, string>();
    for await (const { cell } of csvRows(users, ['Id', 'Email'])) emails.set(cell('Id'), cell('Email'));
    for await (const { line, cell } of csvRows(file, ['Id', 'UserName', 'UserId'])) {
      const email = emails.get(cell('UserId')) ?? '';
      // Such as github:GithubAccount:1:8518239.
      const [system = ''] = cell('Id').split(':');
      const names = { email: 'UserId', identity: 'UserName' };
      yield { place: `line ${line}`, email, identity: cell('UserName'), system, names };
    }
  },
};
