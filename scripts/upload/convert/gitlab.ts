import { csvRows, isJsonFile, listIn, readJsonExport, textIn } from './read-export.js';
import { type Converter, oneSystemRow } from './source-row.js';

/** The members of a group or instance as CSV, or users of the API, which shows an `email` to administrators only. */
export const gitlab: Converter = {
  source:
    'https://docs.gitlab.com/user/group/#export-members-as-csv, https://docs.gitlab.com/administration/admin_area/#user-permission-export, ' +
    'https://docs.gitlab.com/api/users/',
  hasSystems: false,
  async *read(file) {
    if (!(await isJsonFile(file))) {
      for await (const { line, cell } of csvRows(file, ['Username', 'Email']))
        yield oneSystemRow(`line ${line}`, cell('Email'), cell('Username'), 'Email', 'Username');
      return;
    }
    for (const [index, one] of listIn(file, 'the document', readJsonExport(file)).entries()) {
      const email = textIn(one, 'email') || textIn(one, 'public_email');
      yield oneSystemRow(`[${index}]`, email, textIn(one, 'username'), 'email', 'username');
    }
  },
};
