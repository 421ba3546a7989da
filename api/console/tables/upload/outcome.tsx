export { JobOutcome as default } from '../../jobs/outcome/job-outcome.tsx';
