import { csvRows, isJsonFile, listIn, readJsonExport, textIn } from './read-export.js';
import { type Converter, oneSystemRow } from './source-row.js';

/** The users of the API as JSON, or a CSV with the columns of a profile. */
export const okta: Converter = {
  source:
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/User/, ' +
    'https://help.okta.com/en-us/content/topics/users-groups-profiles/usgp-import-users-csv.htm',
  hasSystems: false,
  async *read(path) {
    if (!(await isJsonFile(path))) {
      for await (const { line, cell } of csvRows(path, ['login', 'email']))
        yield oneSystemRow(`line ${line}`, cell('email'), cell('login'), 'email', 'login');
      return;
    }
    for (const [index, one] of listIn(path, 'the document', readJsonExport(path)).entries()) {
      const [email, login] = [textIn(one, 'profile', 'email'), textIn(one, 'profile', 'login')];
      yield oneSystemRow(`[${index}]`, email, login, 'profile.email', 'profile.login');
    }
  },
};
