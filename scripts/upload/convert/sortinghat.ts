import { isSuspicious } from '../../../workers/identities/record/lost-value.js';
import { UploadFailure } from '../failure.js';
import { listIn, readJsonExport, textIn } from './read-export.js';
import type { Converter } from './source-row.js';

/** SortingHat writes `-- UNDEFINED --` for some values that it does not have. */
const isGiven = (email: string) => email !== '' && !isSuspicious(email);

/** The owner is the profile of the individual, and each of its identities with a username is an account. */
export const sortinghat: Converter = {
  source: 'sortinghat 0.7, `sortinghat export --identities`: sortinghat/cmd/export.py and parsing/sh.py',
  hasSystems: true,
  *read(file) {
    const individuals = (readJsonExport(file) as { uidentities?: unknown } | null)?.uidentities;
    if (typeof individuals !== 'object' || individuals === null)
      throw new UploadFailure(`${file.path}, uidentities: must be an object. Is it an export of SortingHat?`);
    for (const [uuid, individual] of Object.entries(individuals)) {
      const place = `uidentities.${uuid}.identities`;
      const identities = listIn(file, place, individual?.identities);
      const email =
        [individual.profile, ...identities].map((one) => textIn(one, 'email')).find(isGiven) ?? '';
      for (const [index, one] of identities.entries()) {
        const [identity, system] = [textIn(one, 'username'), textIn(one, 'source')];
        const names = { email: 'profile.email', identity: 'username' };
        if (identity) yield { place: `${place}[${index}]`, email, identity, system, names };
      }
    }
  },
};
