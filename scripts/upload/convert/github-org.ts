import { csvRows, isJsonFile, listIn, readJsonExport, textIn } from './read-export.js';
import { type Converter, oneSystemRow } from './source-row.js';

/** Members with their SAML identity: the export of the People page, or the SAML identities of the GraphQL API. */
export const githubOrg: Converter = {
  source:
    'https://docs.github.com/organizations/managing-membership-in-your-organization/exporting-member-information-for-your-organization, ' +
    'https://docs.github.com/graphql/reference/objects#externalidentity',
  hasSystems: false,
  async *read(file) {
    if (!(await isJsonFile(file))) {
      for await (const { line, cell } of csvRows(file, ['login', 'saml_name_id']))
        yield oneSystemRow(`line ${line}`, cell('saml_name_id'), cell('login'), 'saml_name_id', 'login');
      return;
    }
    const content = readJsonExport(file);
    if (Array.isArray(content)) {
      for (const [index, one] of content.entries())
        yield oneSystemRow(
          `[${index}]`,
          textIn(one, 'saml_name_id'),
          textIn(one, 'login'),
          'saml_name_id',
          'login',
        );
      return;
    }
    const place = 'data.organization.samlIdentityProvider.externalIdentities';
    const found = place
      .split('.')
      .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], content);
    const { nodes, edges } = (found ?? {}) as { nodes?: unknown; edges?: unknown };
    const list = nodes ? listIn(file, `${place}.nodes`, nodes) : listIn(file, `${place}.edges`, edges);
    for (const [index, one] of list.entries()) {
      const node = nodes ? one : (one as { node?: unknown } | null)?.node;
      const at = `${place}.${nodes ? 'nodes' : 'edges'}[${index}]`;
      yield oneSystemRow(
        at,
        textIn(node, 'samlIdentity', 'nameId'),
        textIn(node, 'user', 'login'),
        'samlIdentity.nameId',
        'user.login',
      );
    }
  },
};
