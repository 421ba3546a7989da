import { Component, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Failure } from './failure.tsx';

interface BoundaryProps {
  /** The location of the page. A change of it resets the error. */
  at: string;
  /** What it confines the exception to. */
  what?: 'page' | 'part of the page';
  children: ReactNode;
}

interface State {
  error: unknown;
}

/**
 * Confines an exception to the page that threw it, or a part of it, so that the navigation keeps working. A script file that a
 * newer version of the console has replaced on the server is such an error too, and a reload fixes it.
 */
export class Boundary extends Component<BoundaryProps, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidUpdate(before: BoundaryProps): void {
    if (before.at !== this.props.at && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const { what = 'page' } = this.props;
    return <Failure error={error} title={`Could not show this ${what}`} retry={() => location.reload()} />;
  }
}

/** Renders parts whose code is loaded when they are first shown. Shows nothing until then, and an error if the code cannot be loaded. */
export function OnDemand({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  return (
    <Boundary at={location} what="part of the page">
      {children}
    </Boundary>
  );
}
