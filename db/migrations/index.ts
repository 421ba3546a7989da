import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { errorNumber } from '../client/errors.js';
import * as createTables from './001-create-tables.js';
import * as reading from './003-reading.js';
import * as alerts from './004-alerts.js';
import * as uploadColumns from './005-upload-columns.js';
import * as jobLimits from './006-job-limits.js';
import * as secretCanary from './006-secret-canary.js';
import * as eventRequests from './007-event-requests.js';
import * as eventFilters from './008-event-filters.js';
import * as signatures from './009-signatures.js';
import * as savedTemplates from './010-saved-templates.js';
import * as revisionAuthors from './011-revision-authors.js';
import * as webhookChallenges from './012-webhook-challenges.js';
import * as snsConfirmations from './013-sns-confirmations.js';
import * as series from './014-series.js';
import * as identityHistory from './015-identity-history.js';
import * as identityChanges from './016-identity-changes.js';
import * as identityMirrors from './017-identity-mirrors.js';
import * as dayPartitions from './018-day-partitions.js';
import * as alertValues from './019-alert-values.js';
import * as fileNames from './020-file-names.js';
import * as identityUploads from './021-identity-uploads.js';
import * as upkeepHorizons from './022-upkeep-horizons.js';
import * as templateOwners from './023-template-owners.js';
import * as occurrences from './024-occurrences.js';
import * as jobSteps from './026-job-steps.js';
import * as ends from './027-ends.js';
import * as silence from './028-silence.js';
import * as seriesExpiries from './029-series-expiries.js';
import * as severityRanks from './030-severity-ranks.js';
import * as drift from './031-drift.js';
import * as outbox from './032-outbox.js';
import * as drawnDestinations from './033-drawn-destinations.js';
import * as repeats from './034-repeats.js';
import * as trouble from './035-trouble.js';
import * as callbacks from './036-callbacks.js';
import * as mail from './037-mail.js';
import * as lanes from './038-lanes.js';
import * as repetitions from './041-repetitions.js';
import * as outboxAlerts from './042-outbox-alerts.js';
import * as importedTokens from './043-imported-tokens.js';
import * as webhookSenders from './044-webhook-senders.js';
import * as lookupTables from './045-lookup-tables.js';
import * as lookedUp from './046-looked-up.js';
import * as owners from './047-owners.js';
import * as managedBy from './048-managed-by.js';
import * as managedKinds from './049-managed-kinds.js';
import * as accountSystems from './050-account-systems.js';
import * as appliedPlans from './051-applied-plans.js';
import * as identityFeed from './052-identity-feed.js';
import * as uploadLinks from './053-upload-links.js';
import * as feeds from './054-feeds.js';
import * as worklistDecisions from './055-worklist-decisions.js';
import * as audit from './056-audit.js';
import * as roles from './057-roles.js';
import * as keyPrefixes from './058-key-prefixes.js';
import { MigrationLock } from './migration-lock.js';
import type { MigrationRun } from './migration-run.js';

/**
 * One step of the schema. There is no `down`: undoing a step would drop the data that it holds, and an untested path is
 * worse than none. To go back, restore a backup, or add a migration that changes the schema again.
 */
interface Migration {
  up(database: Knex, run: MigrationRun): Promise<void>;
  /** Default: all statements in one transaction, as far as the server has transactions for them. */
  config?: { transaction: false };
}

/** In order. The database records each name, without `.ts` or `.js`, so that source and build agree. */
const migrations: Record<string, Migration> = {
  '001-create-tables': createTables,
  '003-reading': reading,
  '004-alerts': alerts,
  '005-upload-columns': uploadColumns,
  '006-secret-canary': secretCanary,
  '006-job-limits': jobLimits,
  '007-event-requests': eventRequests,
  '008-event-filters': eventFilters,
  '009-signatures': signatures,
  '010-saved-templates': savedTemplates,
  '011-revision-authors': revisionAuthors,
  '012-webhook-challenges': webhookChallenges,
  '013-sns-confirmations': snsConfirmations,
  '014-series': series,
  '015-identity-history': identityHistory,
  '016-identity-changes': identityChanges,
  '017-identity-mirrors': identityMirrors,
  '018-day-partitions': dayPartitions,
  '019-alert-values': alertValues,
  '020-file-names': fileNames,
  '021-identity-uploads': identityUploads,
  '022-upkeep-horizons': upkeepHorizons,
  '023-template-owners': templateOwners,
  '024-occurrences': occurrences,
  '026-job-steps': jobSteps,
  '027-ends': ends,
  '028-silence': silence,
  '029-series-expiries': seriesExpiries,
  '030-severity-ranks': severityRanks,
  '031-drift': drift,
  '032-outbox': outbox,
  '033-drawn-destinations': drawnDestinations,
  '034-repeats': repeats,
  '035-trouble': trouble,
  '036-callbacks': callbacks,
  '037-mail': mail,
  '038-lanes': lanes,
  '041-repetitions': repetitions,
  '042-outbox-alerts': outboxAlerts,
  '043-imported-tokens': importedTokens,
  '044-webhook-senders': webhookSenders,
  '045-lookup-tables': lookupTables,
  '046-looked-up': lookedUp,
  '047-owners': owners,
  '048-managed-by': managedBy,
  '049-managed-kinds': managedKinds,
  '050-account-systems': accountSystems,
  '051-applied-plans': appliedPlans,
  '052-identity-feed': identityFeed,
  '053-upload-links': uploadLinks,
  '054-feeds': feeds,
  '055-worklist-decisions': worklistDecisions,
  '056-audit': audit,
  '057-roles': roles,
  '058-key-prefixes': keyPrefixes,
};

/** How long to wait for another host to finish migrating. */
const WAIT_MS = 60_000;
/** The error of a statement on a table that does not exist. */
const NO_SUCH_TABLE = 1146;

/**
 * Brings the schema up to the newest migration and returns the names of those it ran. Several hosts may do this at the
 * same time, also through different nodes of a cluster. knex's own lock is a row that a killed process leaves behind; the
 * process that holds {@link MigrationLock} may therefore clear it. An interrupted migration is run again, so every migration
 * must be repeatable.
 * @param say receives a line about each part that takes long, with an estimate
 * @throws Error if another process migrates for more than a minute
 */
export async function migrate(database: Database, say: (text: string) => void = () => {}): Promise<string[]> {
  const lock = new MigrationLock(database);
  await lock.take({ waitMs: WAIT_MS });
  try {
    const source = {
      ...migrationSource,
      getMigration: async (name: string) => guarded(name, { say, check: () => lock.check() }),
    };
    await database.migrate.forceFreeMigrationsLock({ migrationSource: source });
    const [, names]: [number, string[]] = await database.migrate.latest({ migrationSource: source });
    return names;
  } finally {
    await lock.release();
  }
}

/**
 * Compares the schema with the migrations of this release, without changing anything.
 * @returns the names of those that still have to run, and of those that only a newer release knows
 */
export async function compareMigrations(
  database: Database,
): Promise<{ missing: string[]; unknown: string[] }> {
  const done = await readDone(database);
  const known = Object.keys(migrations);
  return {
    missing: known.filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !known.includes(name)),
  };
}

async function readDone(database: Database): Promise<string[]> {
  try {
    return await database('knex_migrations').orderBy('id').pluck('name');
  } catch (error) {
    if (errorNumber(error) === NO_SUCH_TABLE) return [];
    throw error;
  }
}

/** Returns a migration that does not start if another process migrates by now. knex requires a `down`, and never calls it here. */
function guarded(name: string, run: MigrationRun): Knex.Migration {
  const migration = migrations[name];
  if (!migration) throw new Error(`unknown migration: ${name}`);
  const { up, config } = migration;
  return {
    up: async (database) => {
      await run.check();
      await up(database, run);
    },
    down: async () => {},
    ...(config && { config }),
  };
}

const migrationSource = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name: string) => name,
};
