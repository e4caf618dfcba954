import { Tabs as Radix } from "radix-ui";
import { type ReactNode, useEffect, useRef } from "react";

interface TabsProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  tabs: { value: string; label: ReactNode; content: ReactNode }[];
}

/**
 * Tabs with arrow-key navigation. Where they do not fit, they scroll sideways, to the selected one. The caller holds the selected
 * tab, usually in the URL.
 */
export function Tabs({ label, value, onChange, tabs }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = [...(list.current?.children ?? [])].find((child) => child.id.endsWith(`-trigger-${value}`));
    if (list.current && tab instanceof HTMLElement)
      list.current.scrollLeft = tab.offsetLeft - list.current.clientWidth / 2 + tab.offsetWidth / 2;
  }, [value]);
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List
        ref={list}
        aria-label={label}
        className="scroll-edge relative flex gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={
              "display -mb-px min-h-11 whitespace-nowrap -outline-offset-2 border-b-2 border-transparent px-3 pb-2.5 pt-2 " +
              "text-xl text-bone-muted transition-colors hover:text-bone data-[state=active]:border-ember " +
              "data-[state=active]:text-bone"
            }
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-6">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
