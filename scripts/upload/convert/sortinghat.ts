import { UploadFailure } from '../failure.js';
import { listIn, readJsonExport, textIn } from './read-export.js';
import type { Converter } from './source-row.js';

/** The owner is the profile of the individual, and each of its identities with a username is an account. */
export const sortinghat: Converter = {
  source: 'sortinghat 0.7, `sortinghat export --identities`: sortinghat/cmd/export.py and parsing/sh.py',
  hasSystems: true,
  *read(path) {
    const individuals = (readJsonExport(path) as { uidentities?: unknown } | null)?.uidentities;
    if (typeof individuals !== 'object' || individuals === null)
      throw new UploadFailure(`${path}, uidentities: must be an object. Is it an export of SortingHat?`);
    for (const [uuid, individual] of Object.entries(individuals)) {
      const place = `uidentities.${uuid}.identities`;
      const identities = listIn(path, place, individual?.identities);
      const email =
        textIn(individual, 'profile', 'email') ||
        identities.map((one) => textIn(one, 'email')).find(Boolean) ||
        '';
      for (const [index, one] of identities.entries()) {
        const [identity, system] = [textIn(one, 'username'), textIn(one, 'source')];
        const names = { email: 'profile.email', identity: 'username' };
        if (identity) yield { place: `${place}[${index}]`, email, identity, system, names };
      }
    }
  },
};
