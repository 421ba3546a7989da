import { devlake } from './devlake.js';
import { githubOrg } from './github-org.js';
import { gitlab } from './gitlab.js';
import { gitlabPlaceholders } from './gitlab-placeholders.js';
import { okta } from './okta.js';
import { sortinghat } from './sortinghat.js';
import type { Converter } from './source-row.js';

/** By the name that `--from` takes. */
export const converters: Record<string, Converter> = {
  devlake,
  sortinghat,
  'github-org': githubOrg,
  gitlab,
  'gitlab-placeholders': gitlabPlaceholders,
  okta,
};
