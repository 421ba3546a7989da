import { expect, test } from '@jest/globals';
import { toDraft, toMapping } from '../../../../api/console/mapping/model/draft/draft.js';
import { mergeDrafts, takePlace } from '../../../../api/console/mapping/model/draft/merge.js';
import type { Mapping } from '../../../../workers/mapping/index.js';

const field = (template: string) => ({ template });
const base: Mapping = {
  split: 'webhook.list',
  fields: { title: field('t'), team: field('a') },
  custom: { zone: field('z'), host: field('h') },
};
const merge = (theirs: Mapping, mine: Mapping) => {
  const { draft, ...rest } = mergeDrafts(toDraft(base), toDraft(theirs), toDraft(mine));
  return { ...rest, mapping: toMapping(draft) };
};

test('places that only one of them changed are merged: fields, custom fields, split and expanded texts', () => {
  const theirs: Mapping = {
    ...base,
    split: 'webhook.other',
    repeatWindowSeconds: 60,
    expandJson: ['Message'],
    fields: { ...base.fields, title: field('theirs') },
    custom: { host: field('h'), added: field('new') },
  };
  const mine: Mapping = {
    ...base,
    fields: { ...base.fields, team: field('mine') },
    custom: { ...base.custom, host: field('my host') },
  };
  const { taken, conflicts, mapping } = merge(theirs, mine);
  expect(conflicts).toEqual([]);
  expect(taken.sort()).toEqual(
    [
      'Custom field added',
      'Custom field zone',
      'Expanded JSON texts',
      'Identical events',
      'Split',
      'Title',
    ].sort(),
  );
  expect(mapping).toEqual({
    split: 'webhook.other',
    repeatWindowSeconds: 60,
    expandJson: ['Message'],
    fields: { title: field('theirs'), team: field('mine') },
    custom: { host: field('my host'), added: field('new') },
  });
});

test('a place that both changed is a conflict, and the draft has mine until theirs is taken', () => {
  const theirs: Mapping = { ...base, fields: { title: field('theirs'), team: field('same') }, custom: {} };
  const mine: Mapping = {
    ...base,
    fields: { title: field('mine'), team: field('same') },
    custom: { zone: field('my zone'), host: field('h') },
  };
  const { conflicts, taken, mapping } = merge(theirs, mine);
  expect(conflicts.map(({ target }) => target)).toEqual(['fields.title', 'custom.zone']);
  expect(conflicts[0]?.parts).toEqual([{ part: 'Template', before: 'theirs', after: 'mine' }]);
  expect(taken).toEqual(['Custom field host']);
  expect(mapping).toMatchObject({ fields: { title: field('mine') }, custom: { zone: field('my zone') } });
  const settled = takePlace(
    takePlace(toDraft(mapping), 'fields.title', toDraft(theirs)),
    'custom.zone',
    toDraft(theirs),
  );
  expect(toMapping(settled)).toEqual({ split: 'webhook.list', fields: theirs.fields });
});
