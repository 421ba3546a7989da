import { useSearchParams } from 'wouter';
import { useMay } from '../../http/use-current-key.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useTemplates } from '../webhook/use-templates.ts';
import styles from './gallery.module.css';
import { Made } from './made.tsx';
import { NewForm } from './new-form.tsx';
import { TemplateGallery } from './template-gallery.tsx';

/** From the question who sends the alerts to the URL that takes them. Where one is stands in the address. */
export default function NewIntegration() {
  const [parameters] = useSearchParams();
  const made = parameters.get('made');
  return made ? <Made id={made} /> : <Choose />;
}

function Choose() {
  const may = useMay('webhooks:write');
  return (
    <>
      <PageHead title="New integration" above={<BackLink href="/integrations">Integrations</BackLink>}>
        Choose what sends the alerts. The mapping of a template is a beginning: everything in it can be
        redrawn.
      </PageHead>
      {may ? <Chooser /> : <MayNot />}
    </>
  );
}

function Chooser() {
  const { data: templates, error, refetch } = useTemplates();
  const [parameters, setParameters] = useSearchParams();
  const name = parameters.get('template');
  if (error) return <Failure error={error} title="The templates could not be read" retry={refetch} />;
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

const MayNot = () => (
  <Empty title="This key may not make integrations">
    Sign in with a key that has the scope webhooks:write, or ask an administrator for one.
  </Empty>
);
