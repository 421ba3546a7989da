export interface BannerFacts {
  /** The address of the API on this machine. */
  address: string;
  apiKey: string;
  dataDir: string;
}

/** Returns the text that the terminal shows once everything is running. The link and each command work when pasted. */
export function banner({ address, apiKey, dataDir }: BannerFacts): string {
  const records = `${address}/v2/developers/identities`;
  const authorization = `-H 'authorization: ApiKey ${apiKey}'`;
  const example = '[{"email":"ada@example.com","integrationId":1,"identity":"ada"}]';
  return `
  Muster is running. Open the console, signed in:

    Console   ${address}/#key=${apiKey}

  Or use the API:

    Address   ${address}
    API key   ${apiKey}
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
