const ACCESS_HELP = `
  --url URL         address of Muster; default: MUSTER_URL, or the address that npm start saved in DATA_DIR/address
  --key KEY         API key (visible in the list of processes); default: MUSTER_API_KEY, or on this machine the key of
                    npm start. It needs the scope webhooks:write, tables:write and
                    destinations:write for tables and destinations, and developer_records:write for
                    account systems
  --json            print the result as JSON
  --help            print this help`;

/** The texts of `muster COMMAND --help`. */
export const HELP = {
  export: `
Usage: muster export DIR [options]

Writes what the server has as files: account systems, lookup tables, templates, integrations and destinations. In a
file that is there, only what differs is changed; comments and order stay. Secrets are not written: a new file refers to
a variable of the environment. What the key may not read is left out; if the folder has files of it, that is an error.
${ACCESS_HELP}

Exit codes: 0 written. 1 something could not be exported, or the server did not respond. 2 the command line or a
file is invalid.
`.trim(),
  plan: `
Usage: muster plan DIR [options]

Compares the files with the server, and says what would be changed and what that means for stored events. Writes
nothing to the server.

  --out FILE        save the plan, for muster apply
  --prune           also delete what has the managedBy of muster.yaml and no file
  --events N        the newest events of each integration that a new mapping is tried on (default: 10000; 0: none).
                    Which fields differ is only shown if the key has the scope alerts:read
  --exit-code       exit with 3 if something would be changed
${ACCESS_HELP}

Exit codes: 0 the plan was made. 1 the server rejected it, or did not respond. 2 the command line or a file is invalid.
3 see --exit-code.
`.trim(),
  apply: `
Usage: muster apply PLAN [options]

Does exactly what a saved plan says. What was changed since the plan was made is refused by name; the others are
changed, each as a whole. Applying a plan again changes nothing.

  --dir DIR         the folder of the files, for tables and for secrets in files (default: that of the plan)
  --all-or-nothing  change nothing if a change is refused
${ACCESS_HELP}

Exit codes: 0 everything is as planned. 1 a change was refused: make a new plan; or the server did not respond: apply the
plan again. 2 the command line or the plan is invalid.
`.trim(),
  diff: `
Usage: muster diff DIR [options]

Shows what was changed on the server, such as in the console, as a patch to the files.

  --exit-code       exit with 3 if something differs
${ACCESS_HELP}

Exit codes: 0 shown. 1 something could not be compared, or the server did not respond. 2 the command line or a
file is invalid. 3 see --exit-code.
`.trim(),
};
