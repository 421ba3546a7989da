import { isMissing } from '../../../workers/identities/record/suspicious-value.js';
import { UploadFailure } from '../failure.js';
import {
  csvRows,
  type ExportFile,
  isJsonFile,
  listIn,
  memberOf,
  readJsonExport,
  textIn,
} from './read-export.js';

/** An account in an export of another product. */
export interface SourceRow {
  /** Where it is in the file: "line 12" or "uidentities.ab12.identities[3]". */
  place: string;
  /** The email of the owner; '' if the export has none. */
  email: string;
  /** The account's name. */
  identity: string;
  /** The system of the account as the export names it, such as `github`; '' if the export is about one system. */
  system: string;
  /** The names of the fields in the export, for messages. */
  names: { email: string; identity: string };
}

/** Reads the accounts of an export. */
export interface Converter {
  /** Where the format is documented. */
  source: string;
  /** Whether one export contains accounts of several systems. */
  hasSystems: boolean;
  read(file: ExportFile, users: ExportFile | undefined): AsyncIterable<SourceRow> | Iterable<SourceRow>;
}

/** The email of an account's owner is in `users.csv`, under the `UserId` that DevLake's `accounts.csv` names. */
const devlake: Converter = {
  source: 'https://devlake.apache.org/docs/Configuration/TeamConfiguration, backend/plugins/org/api/types.go',
  hasSystems: true,
  async *read(file, users) {
    if (!users)
      throw new UploadFailure('--from devlake needs --users users.csv, the owners of the accounts.');
    const emails = new Map<string, string>();
    for await (const { cell } of csvRows(users, { Id: 'Id', Email: 'Email' }))
      emails.set(cell('Id'), cell('Email'));
    const columns = { Id: 'Id', UserName: 'UserName', UserId: 'UserId' };
    for await (const { place, cell } of csvRows(file, columns)) {
      const email = emails.get(cell('UserId')) ?? '';
      // Such as github:GithubAccount:1:8518239.
      const [system = ''] = cell('Id').split(':');
      yield {
        place,
        email,
        identity: cell('UserName'),
        system,
        names: { email: 'UserId', identity: 'UserName' },
      };
    }
  },
};

/** The placeholder users of an import into GitLab: accounts on other hosts, with the GitLab users to whom they are reassigned. */
const gitlabPlaceholders: Converter = {
  source:
    'https://docs.gitlab.com/user/import/mapping/reassignment/#request-reassignment-by-using-a-csv-file',
  hasSystems: true,
  async *read(file) {
    const names = { email: 'GitLab public email', identity: 'Source username' };
    for await (const { place, cell } of csvRows(file, { ...names, system: 'Source host' }))
      yield { place, email: cell('email'), identity: cell('identity'), system: cell('system'), names };
  },
};

/** The owner is the profile of the individual, and each of its identities with a username is an account. */
const sortinghat: Converter = {
  source: 'sortinghat 0.7, `sortinghat export --identities`: sortinghat/cmd/export.py and parsing/sh.py',
  hasSystems: true,
  *read(file) {
    const individuals = memberOf(readJsonExport(file), 'uidentities');
    if (typeof individuals !== 'object' || individuals === null)
      throw new UploadFailure(`${file.path}, uidentities: must be an object. Is it an export of SortingHat?`);
    for (const [uuid, individual] of Object.entries(individuals)) {
      const place = `uidentities.${uuid}.identities`;
      const identities = listIn(file, place, individual?.identities);
      // SortingHat writes `-- UNDEFINED --` for some values that it does not have.
      const email = [individual.profile, ...identities]
        .map((one) => textIn(one, 'email'))
        .find((text) => text !== '' && !isMissing(text));
      for (const [index, one] of identities.entries()) {
        const [identity, system] = [textIn(one, 'username'), textIn(one, 'source')];
        const names = { email: 'profile.email', identity: 'username' };
        if (identity) yield { place: `${place}[${index}]`, email: email ?? '', identity, system, names };
      }
    }
  },
};

/** Where the accounts are in a JSON export. The first email that is given counts. */
interface JsonAccounts {
  place: string;
  list: unknown[];
  emails: readonly [string, ...string[]];
  identity: string;
}

interface OneSystem {
  source: string;
  /** The column of the email in a CSV export, if an upload does not know its name. */
  emailColumn?: string;
  accountsIn(content: unknown, file: ExportFile): JsonAccounts;
}

/** Returns the converter of exports of one system: CSV with columns as an upload reads them, or JSON. */
const oneSystem = ({ source, emailColumn, accountsIn }: OneSystem): Converter => ({
  source,
  hasSystems: false,
  async *read(file): AsyncGenerator<SourceRow> {
    if (!(await isJsonFile(file))) {
      for await (const { place, cell, name } of csvRows(file, { email: emailColumn, identity: undefined })) {
        const names = { email: name('email'), identity: name('identity') };
        yield { place, email: cell('email'), identity: cell('identity'), system: '', names };
      }
      return;
    }
    const { place, list, emails, identity } = accountsIn(readJsonExport(file), file);
    for (const [index, one] of list.entries()) {
      const email = emails.map((path) => textIn(one, path)).find((text) => text !== '') ?? '';
      const names = { email: emails[0], identity };
      yield { place: `${place}[${index}]`, email, identity: textIn(one, identity), system: '', names };
    }
  },
});

const SAML_IDENTITIES = 'data.organization.samlIdentityProvider.externalIdentities';

/** Members with their SAML identity: the export of the People page, or the SAML identities of the GraphQL API. */
const githubOrg = oneSystem({
  source:
    'https://docs.github.com/organizations/managing-membership-in-your-organization/exporting-member-information-for-your-organization, ' +
    'https://docs.github.com/graphql/reference/objects#externalidentity',
  emailColumn: 'saml_name_id',
  accountsIn(content, file) {
    if (Array.isArray(content))
      return { place: '', list: content, emails: ['saml_name_id'], identity: 'login' };
    const isNodes = memberOf(content, `${SAML_IDENTITIES}.nodes`);
    const place = `${SAML_IDENTITIES}.${isNodes ? 'nodes' : 'edges'}`;
    const node = isNodes ? '' : 'node.';
    const list = listIn(file, place, memberOf(content, place));
    return { place, list, emails: [`${node}samlIdentity.nameId`], identity: `${node}user.login` };
  },
});

/** The members of a group or instance as CSV, or users of the API, which shows an `email` to administrators only. */
const gitlab = oneSystem({
  source:
    'https://docs.gitlab.com/user/group/#export-members-as-csv, https://docs.gitlab.com/administration/admin_area/#user-permission-export, ' +
    'https://docs.gitlab.com/api/users/',
  accountsIn(content, file) {
    const list = listIn(file, 'the document', content);
    return { place: '', list, emails: ['email', 'public_email'], identity: 'username' };
  },
});

/** The users of the API as JSON, or a CSV with the columns of a profile. */
const okta = oneSystem({
  source:
    'https://developer.okta.com/docs/api/openapi/okta-management/management/tag/User/, ' +
    'https://help.okta.com/en-us/content/topics/users-groups-profiles/usgp-import-users-csv.htm',
  accountsIn(content, file) {
    const list = listIn(file, 'the document', content);
    return { place: '', list, emails: ['profile.email'], identity: 'profile.login' };
  },
});

/** By the name that `--from` takes. */
export const converters: Record<string, Converter> = {
  devlake,
  sortinghat,
  'github-org': githubOrg,
  gitlab,
  'gitlab-placeholders': gitlabPlaceholders,
  okta,
};
