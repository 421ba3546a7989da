import { Stack } from '@mantine/core';
import { useMay } from '../../http/use-current-key.ts';
import type { TabProps } from '../webhook/tab-props.ts';
import { DeleteSection } from './delete-section.tsx';
import { DriftSection } from './drift-section.tsx';
import { ExpirySection } from './expiry-section.tsx';
import { HandshakeSection } from './handshake-section.tsx';
import { MuteSection } from './mute-section.tsx';
import { NameSection } from './name-section.tsx';
import { RateLimitSection } from './rate-limit-section.tsx';
import { RefoldSection } from './refold-section.tsx';
import { SignatureSection } from './signature-section.tsx';
import { SilenceSection } from './silence-section.tsx';
import { UrlSection } from './url-section.tsx';

/** The settings tab: URL, signature, handshake, rate limit, mute, expiry, silence, drift, name, stored alerts and deletion. */
export default function Settings({ webhook }: TabProps) {
  const may = useMay('webhooks:write');
  const mayRefold = useMay('alerts:write');
  return (
    <Stack>
      <UrlSection webhook={webhook} may={may} />
      <SignatureSection webhook={webhook} may={may} />
      <HandshakeSection webhook={webhook} may={may} />
      <RateLimitSection webhook={webhook} may={may} />
      <MuteSection webhook={webhook} may={may} />
      <ExpirySection webhook={webhook} may={may} />
      <SilenceSection webhook={webhook} may={may} />
      <DriftSection webhook={webhook} may={may} />
      {may && <NameSection webhook={webhook} />}
      {mayRefold && <RefoldSection webhook={webhook} />}
      {may && <DeleteSection webhook={webhook} />}
    </Stack>
  );
}
