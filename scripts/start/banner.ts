export interface BannerFacts {
  /** The address of the API on this machine. */
  address: string;
  apiKey: string;
  /** Where the key is: its file, or null if it comes from `BOOTSTRAP_API_KEY`. */
  keyFile: string | null;
  dataDir: string;
  /** Whether a person sees the output. Otherwise it may stay in a log, so it names the place of the key instead. */
  isTerminal: boolean;
}

/** Returns the text that is shown once everything is running. The link and each command work when pasted. */
export function banner({ address, apiKey, keyFile, dataDir, isTerminal }: BannerFacts): string {
  const records = `${address}/v2/developers/identities`;
  const inShell = keyFile === null ? '$BOOTSTRAP_API_KEY' : `$(cat ${shellQuote(keyFile)})`;
  const authorization = isTerminal
    ? `-H 'authorization: ApiKey ${apiKey}'`
    : `-H "authorization: ApiKey ${inShell}"`;
  const example = '[{"email":"ada@example.com","integrationId":1,"identity":"ada"}]';
  return `
  Muster is running. Open the console${isTerminal ? ', signed in' : ' and sign in with the API key'}:

    Console   ${address}/${isTerminal ? `#key=${apiKey}` : ''}

  Or use the API:

    Address   ${address}
    API key   ${isTerminal ? apiKey : `in ${keyFile ?? 'BOOTSTRAP_API_KEY'}`}
    Data      ${dataDir}  (files: address, api-key, logs/)

  Store a record:

curl -X PATCH ${authorization} \\
  -H 'content-type: application/json' \\
  -d '${example}' \\
  ${records}

  Read all records:

curl ${authorization} \\
  ${records}

  Upload a CSV file with the columns email, integrationId, identity:

printf 'email,integrationId,identity\\ngrace@example.com,1,grace\\n' |
  curl -X PATCH ${authorization} -F file=@- ${records}

  Ctrl-C stops everything.
`;
}

/** Quotes a path as a word of a shell. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
