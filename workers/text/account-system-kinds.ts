/** A product whose accounts a system has. */
export interface AccountSystemKind {
  kind: string;
  title: string;
  /** Where an account is shown, if that is the same for everybody; null: every customer has a host of its own, or there is no page. */
  accountUrl: string | null;
  /** Where an account usually is, if it is not the same for everybody. */
  example?: string;
}

/**
 * The products that Muster knows. A list, because a kind is worth something only if the same product always has the same one: it decides the
 * title and where accounts are. Every other system is `other`.
 */
export const ACCOUNT_SYSTEM_KINDS = [
  { kind: 'github', title: 'GitHub', accountUrl: 'https://github.com/{identity}' },
  { kind: 'gitlab', title: 'GitLab', accountUrl: 'https://gitlab.com/{identity}' },
  { kind: 'bitbucket', title: 'Bitbucket', accountUrl: 'https://bitbucket.org/{identity}/' },
  {
    kind: 'azure-devops',
    title: 'Azure DevOps',
    accountUrl: null,
    example: 'https://dev.azure.com/example/_settings/users?subjectDescriptor={identity}',
  },
  {
    kind: 'jira',
    title: 'Jira',
    accountUrl: null,
    example: 'https://example.atlassian.net/jira/people/{identity}',
  },
  { kind: 'slack', title: 'Slack', accountUrl: null, example: 'https://example.slack.com/team/{identity}' },
  {
    kind: 'pagerduty',
    title: 'PagerDuty',
    accountUrl: null,
    example: 'https://example.pagerduty.com/users/{identity}',
  },
  { kind: 'npm', title: 'npm', accountUrl: 'https://www.npmjs.com/~{identity}' },
  { kind: 'docker-hub', title: 'Docker Hub', accountUrl: 'https://hub.docker.com/u/{identity}' },
  { kind: 'other', title: 'Other', accountUrl: null, example: 'https://accounts.example.com/{identity}' },
] as const satisfies readonly AccountSystemKind[];

export type KindName = (typeof ACCOUNT_SYSTEM_KINDS)[number]['kind'];

/** Returns a kind, or `other` for one that this release does not know. */
export const kindOf = (name: string): AccountSystemKind =>
  ACCOUNT_SYSTEM_KINDS.find(({ kind }) => kind === name) ?? OTHER;

const OTHER: AccountSystemKind = { kind: 'other', title: 'Other', accountUrl: null };
