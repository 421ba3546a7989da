import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Boundary } from './boundary.tsx';

/** Renders parts whose code is loaded when they are first shown. Shows nothing until then, and an error if the code cannot be loaded. */
export function OnDemand({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  return (
    <Boundary at={location} what="part of the page">
      {children}
    </Boundary>
  );
}
