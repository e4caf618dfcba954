/** A map with a maximum number of entries: the least recently used one is removed to make room. */
export class LruMap<K, V> extends Map<K, V> {
  constructor(private readonly capacity: number) {
    super();
  }

  override get(key: K): V | undefined {
    const value = super.get(key);
    if (super.delete(key)) super.set(key, value as V); // entries are in the order of their last use
    return value;
  }

  override set(key: K, value: V): this {
    super.delete(key);
    super.set(key, value);
    if (this.size > this.capacity) super.delete(this.keys().next().value as K);
    return this;
  }
}
