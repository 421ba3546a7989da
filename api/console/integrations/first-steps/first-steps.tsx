import { Button, Group, Paper, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Webhook } from '../../http/types.ts';
import styles from './first-steps.module.css';
import { type FirstStep, firstSteps } from './steps.ts';

/** Greets a new installation with the steps to its first alert. Renders nothing once all are done. */
export function FirstSteps({ webhooks }: { webhooks: readonly Webhook[] }) {
  const steps = firstSteps(webhooks);
  const current = steps.find(({ isDone }) => !isDone);
  if (!current) return null;
  return (
    <Paper withBorder p="lg" mb="lg" component="section" aria-label="First steps">
      <Title order={2} size="h4">
        Welcome to Muster
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        Three steps to your first alert.
      </Text>
      <ol className={styles.steps}>
        {steps.map((step, place) => (
          <Step key={step.title} step={step} number={place + 1} isCurrent={step === current} />
        ))}
      </ol>
    </Paper>
  );
}

const Step = ({ step, number, isCurrent }: { step: FirstStep; number: number; isCurrent: boolean }) => (
  <li aria-current={isCurrent ? 'step' : undefined}>
    <Group wrap="nowrap" align="flex-start" gap="sm">
      <ThemeIcon radius="xl" size="md" variant={step.isDone ? 'filled' : 'default'} aria-hidden="true">
        {step.isDone ? <IconCheck size={16} /> : number}
      </ThemeIcon>
      <Stack gap={4} align="flex-start">
        <Text fw={600}>
          {step.title}
          {step.isDone && <VisuallyHidden> (done)</VisuallyHidden>}
        </Text>
        <Text size="sm" c="dimmed">
          {step.text}
        </Text>
        {isCurrent && step.href && (
          <Button component={Link} href={step.href} size="sm" mt={4}>
            {step.title}
          </Button>
        )}
      </Stack>
    </Group>
  </li>
);
