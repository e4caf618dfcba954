import { type ComponentType, lazy, type ReactNode, Suspense } from "react";

/**
 * A component whose code is loaded when it is first rendered, with what is shown meanwhile; of a prerendered page that is its
 * prerendered form. Pages are split by it into what their first scripts contain and the rest.
 */
export function deferred<P extends object>(load: () => Promise<{ default: ComponentType<P> }>, meanwhile?: ReactNode): ComponentType<P> {
  const Part = lazy(load) as unknown as ComponentType<P>;
  return (props) => (
    <Suspense fallback={meanwhile}>
      <Part {...props} />
    </Suspense>
  );
}
