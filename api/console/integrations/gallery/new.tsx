import { useSearchParams } from 'wouter';
import { useMay } from '../../http/use-current-key.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useTemplates } from '../webhook/use-templates.ts';
import styles from './gallery.module.css';
import { IntegrationReady } from './integration-ready.tsx';
import { NewForm } from './new-form.tsx';
import { TemplateGallery } from './template-gallery.tsx';

/**
 * The page that creates an integration: choosing a template first, then the new integration's URL. The address holds
 * the step, so a reload stays on it.
 */
export default function NewIntegration() {
  const [parameters] = useSearchParams();
  const made = parameters.get('made');
  return made ? <IntegrationReady id={made} /> : <ChooseTemplate />;
}

function ChooseTemplate() {
  const may = useMay('webhooks:write');
  return (
    <>
      <PageHead title="New integration" above={<BackLink href="/integrations">Integrations</BackLink>}>
        Choose what sends the alerts. A template comes with a mapping that you can edit.
      </PageHead>
      {may ? <TemplateForm /> : <NotAllowed />}
    </>
  );
}

function TemplateForm() {
  const { data: templates, error, refetch } = useTemplates();
  const [parameters, setParameters] = useSearchParams();
  const name = parameters.get('template');
  if (error) return <Failure error={error} title="Could not load the templates" retry={refetch} />;
  if (!templates) return <Loading />;
  const choose = (template: string | null) =>
    setParameters(template === null ? {} : { template }, { replace: true });
  const chosen = templates.find((template) => template.name === name) ?? null;
  return (
    <div className={styles.columns}>
      <TemplateGallery templates={templates} chosen={chosen} choose={choose} />
      <NewForm template={chosen} />
    </div>
  );
}

const NotAllowed = () => (
  <Empty title="This key cannot create integrations">
    Sign in with a key that has the scope webhooks:write, or ask an administrator for one.
  </Empty>
);
