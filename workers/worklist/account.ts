/** An account of an uploaded list, as its source describes it. Empty texts are unknown. */
export interface Account {
  identity: string;
  /** The display name. */
  name: string;
  /** An address that its source has of it, for example a private or a `noreply` one. */
  email: string;
}

/** An account of a developer. */
export interface Alias {
  integrationId: number;
  identity: string;
}

/** A developer: an email address and the accounts that it owns. */
export interface Developer {
  email: string;
  aliases: Alias[];
}

/** A developer who may own an account. */
export interface Candidate {
  email: string;
  /** From 1 to 100. Scores order candidates and are not probabilities. */
  score: number;
  /** Why, the strongest reason first, for people. */
  reason: string;
}
