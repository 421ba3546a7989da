import { csvRows, isJsonFile, listIn, readJsonExport, textIn } from './read-export.js';
import { type Converter, oneSystemRow } from './source-row.js';

/** The users of the API as JSON, or a CSV with the columns of a profile. */
export const okta: Converter = {
  source:
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/User/, ' +
    'https://help.okta.com/en-us/content/topics/users-groups-profiles/usgp-import-users-csv.htm',
  hasSystems: false,
  async *read(file) {
    if (!(await isJsonFile(file))) {
      for await (const { line, cell } of csvRows(file, ['login', 'email']))
        yield oneSystemRow(`line ${line}`, cell('email'), cell('login'), 'email', 'login');
      return;
    }
    for (const [index, one] of listIn(file, 'the document', readJsonExport(file)).entries()) {
      const [email, login] = [textIn(one, 'profile', 'email'), textIn(one, 'profile', 'login')];
      yield oneSystemRow(`[${index}]`, email, login, 'profile.email', 'profile.login');
    }
  },
};
