import { Component, type ReactNode } from 'react';
import { Failure } from './failure.tsx';

interface BoundaryProps {
  /** Where the page is: somewhere else, it is another page. */
  at: string;
  children: ReactNode;
}

interface State {
  error: unknown;
}

/**
 * Keeps a page's fault to the page: the way to the others stays. A part that is no longer there, because the server
 * has a newer console by now, is such a fault too, and a reload mends it.
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
    return <Failure error={error} title="This page could not be shown" retry={() => location.reload()} />;
  }
}
