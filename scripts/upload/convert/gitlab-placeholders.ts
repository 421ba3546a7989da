import { csvRows } from './read-export.js';
import type { Converter } from './source-row.js';

/** The placeholder users of an import into GitLab: accounts on other hosts, with the GitLab users to whom they are reassigned. */
export const gitlabPlaceholders: Converter = {
  source:
    'https://docs.gitlab.com/user/import/mapping/reassignment/#request-reassignment-by-using-a-csv-file',
  hasSystems: true,
  async *read(file) {
    const names = { email: 'GitLab public email', identity: 'Source username' };
    for await (const { line, cell } of csvRows(file, ['Source host', names.identity, names.email]))
      yield {
        place: `line ${line}`,
        email: cell(names.email),
        identity: cell(names.identity),
        system: cell('Source host'),
        names,
      };
  },
};
