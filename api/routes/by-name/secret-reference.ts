import { z } from 'zod';

/** A secret is never in a file: `${NAME}` is a variable of the environment, `${file:PATH}` the content of a file. */
export const SECRET_REFERENCE = /^\$\{(?:([A-Za-z_][A-Za-z0-9_]*)|file:([^\0{}]+))\}$/;

export const secretReference = z
  .string()
  .regex(
    SECRET_REFERENCE,
    `must be a reference: \${NAME} for a variable of the environment, or \${file:PATH}; a secret itself does not belong in a file`,
  )
  .meta({
    description: `Where the secret is: \`\${NAME}\` for a variable of the environment, or \`\${file:PATH}\` for a file, relative to the folder of the files or absolute`,
  });
