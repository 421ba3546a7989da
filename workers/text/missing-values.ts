/** Words that programs, databases and spreadsheets write for a missing value, in lower case. None of them is a value of its own. */
export const MISSING_WORDS: readonly string[] = [
  ...['null', 'nil', 'none', 'undefined', '\\n'],
  ...['n/a', 'n/a.', 'n.a', 'n.a.'],
  ...['-- undefined --', '--undefined--'],
];

/** The same, but they may also be a value: a measurement, a region, a gateway. */
export const AMBIGUOUS_WORDS: readonly string[] = ['nan', '-nan', 'nat', 'na', 'na.'];

/** Texts of values that are no text, as JavaScript, .NET, Java and Python write them. The source of an expression that ignores case. */
export const NO_TEXT = [
  '\\[object \\w+\\]|\\[L[\\w.]+;@[\\da-f]+|java[x.][\\w.$]+@[\\da-f]+|<[\\w. ]+ at 0x[\\da-f]+>',
  'System\\.(?:Object|String|Char|Byte|Int\\d\\d|Guid|DBNull|DateTime|Collections\\.\\S+)(?:\\[\\])?|Microsoft\\.ActiveDirectory\\.\\S+',
].join('|');

/**
 * Errors that spreadsheets leave in a cell. Sources: "Error.Type function" and "Hide error values" of Microsoft (also `#BUSY!`,
 * `#PYTHON!`), "Error codes in LibreOffice Calc", "ERROR.TYPE" of Google Sheets.
 *
 * Excel translates its errors: `#WERT!`, `#¿NOMBRE?`, `#ССЫЛКА!`, `#DEEL/0!`. All start with `#`, are in upper case and end with `!` or `?`, except
 * "not available" (`#N/A`, `#Н/Д`, `#NV`), with what a data provider adds after it, and "getting data".
 */
const SHEET_ERROR = new RegExp(
  [
    '^#(?:#*',
    "[¡¿]?[\\p{Lu}\\p{Lo}][\\p{Lu}\\p{Lo}\\p{M}\\p{N}/_. '-]*[!?]",
    '\\p{Lu}/\\p{Lu}(?:[ (].*)?',
    'NV|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI|NEDOSTUPN[YÝÉ]|PUUTTUU|¡REF|FMT',
    'GETTING_DATA|DATEN_ABRUFEN|(?:OBTENTION|CHARGEMENT)_DONN[EÉ]ES|OBTENIENDO_DATOS|RECUPERO_DATI|OBTENDO_DADOS|GEGEVENS_OPHALEN',
    'POBIERANIE_DANYCH|ZÍSKÁVÁNÍ_DAT|ZÍSKAVAJÚ_SA_ÚDAJE|ПОЛУЧЕНИЕ_ДАННЫХ|VERİ_ALINIYOR|HÄMTAR_DATA|HENTER_DATA|NOUDETAAN_TIETOJA|ADATOK_BEKÉRÉSE)$',
  ].join('|'),
  'u',
);
/** Those that Access and report servers write too: in any case, and in other languages with a capital letter, because `#fel` may be a channel. */
const ENGLISH_SHEET_ERROR =
  /^#(?:n\/a|ref!|name\?|value!|div\/0!?|num!|null!|err(?:or)?!?|deleted|type!|func!|size!|typ!|fehler|gelöscht)$/i;
const OTHER_SHEET_ERROR = new RegExp(
  [
    '^#(?:Bezug!|Wert!|Zahl!|Erreur|Supprimé|Nom\\?|Valeur!|Nombre!|Eliminado|¡?Valor!|¿?Nombre\\?|Errore|Eliminato|Valore!|Nome\\?',
    'Erro|Excluído|Fout|Verwijderd|Waarde!|Naam\\?|Verw!|Getal!|Fel|Borttagen|Fejl|Slettet|Feil|Virhe|Chyba|Błąd|Hiba|Hata|Ошибка|Missing|NaN)$',
  ].join('|'),
);

/** Returns whether a text that starts with `#` is the error of a spreadsheet. */
export const isSheetError = (text: string): boolean =>
  SHEET_ERROR.test(text) || ENGLISH_SHEET_ERROR.test(text) || OTHER_SHEET_ERROR.test(text);
