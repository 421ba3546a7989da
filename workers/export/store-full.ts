import { isStoreFull } from '../../db/files/index.js';
import { JobFailure } from '../run/errors.js';

/** Runs the writing of an export; a full store fails the job with a clear error, because whoever asked for it waits. */
export async function failWhenStoreIsFull<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (!isStoreFull(error)) throw error;
    throw new JobFailure(
      'storage_full',
      'The file store is full, so the export could not be stored. Free some space, then retry the job.',
    );
  }
}
