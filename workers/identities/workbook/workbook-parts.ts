import { readWhole, withoutPrefix } from './read-xml.js';
import { damaged, type ZipEntries } from './zip-entries.js';

export interface Sheet {
  name: string;
  part: string;
  isHidden: boolean;
}

/** Where the parts of a workbook are that its cells need. */
export interface WorkbookParts {
  sheets: Sheet[];
  styles: string | null;
  sharedStrings: string | null;
  /** Whether the results of formulas are not stored: the program that wrote the file leaves them to the next one. */
  lacksResults: boolean;
}

interface Relation {
  id: string;
  /** The last part of its type: transitional and strict workbooks have different ones before it. */
  type: string;
  target: string;
}

/** Finds the parts of a workbook. @throws FileError `workbook_damaged`, and `not_csv` for other zip files */
export async function findParts(zip: ZipEntries, notWorkbook: () => Error): Promise<WorkbookParts> {
  if (!zip.has('_rels/.rels') || !zip.has('[Content_Types].xml')) throw notWorkbook();
  const document = (await readRelations(zip, '')).find(({ type }) => type === 'officeDocument');
  if (!document || !/\.xml$/i.test(document.target)) throw notWorkbook();
  const relations = await readRelations(zip, document.target);
  const sheets: Sheet[] = [];
  let [isWorkbook, lacksResults] = [false, false];
  await readWhole(document.target, zip.read(document.target), {
    open: (name, attributes) => {
      if (name === 'workbook') isWorkbook = true;
      if (name === 'calcPr') lacksResults = isTrue(attributes.fullCalcOnLoad);
      if (name !== 'sheet') return;
      const reference = Object.keys(attributes).find(
        (key) => key !== 'sheetId' && withoutPrefix(key) === 'id',
      );
      const relation = relations.find(({ id }) => reference !== undefined && id === attributes[reference]);
      if (!relation) throw damaged(`the sheet ${JSON.stringify(attributes.name ?? '')} has no part`);
      // Charts and dialogs have no cells.
      if (relation.type !== 'worksheet') return;
      const isHidden = (attributes.state ?? 'visible') !== 'visible';
      sheets.push({ name: attributes.name ?? '', part: relation.target, isHidden });
    },
  });
  if (!isWorkbook) throw notWorkbook();
  const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.target ?? null;
  return { sheets, styles: partOf('styles'), sharedStrings: partOf('sharedStrings'), lacksResults };
}

/** Returns a flag as an attribute has it. */
export const isTrue = (text: string | undefined): boolean => text === '1' || text === 'true';

/** Returns what a part refers to. @param part '' for the workbook as a whole */
async function readRelations(zip: ZipEntries, part: string): Promise<Relation[]> {
  const slash = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, slash);
  const name = `${folder}_rels/${part.slice(slash)}.rels`;
  const relations: Relation[] = [];
  await readWhole(name, zip.read(name), {
    open: (element, attributes) => {
      if (element !== 'Relationship' || attributes.TargetMode === 'External') return;
      const type = attributes.Type?.split('/').at(-1) ?? '';
      const target = resolve(folder, attributes.Target ?? '');
      relations.push({ id: attributes.Id ?? '', type, target });
    },
  });
  return relations;
}

/** Returns the name of a part that another one refers to from its folder. */
function resolve(folder: string, target: string): string {
  const path = target.startsWith('/') ? target : `/${folder}${target}`;
  try {
    return decodeURIComponent(new URL(path, 'file:///').pathname).slice(1);
  } catch {
    throw damaged(`it refers to a part ${JSON.stringify(target)}`);
  }
}
