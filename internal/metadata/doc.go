// Package metadata finds out what contracts say of their tokens: name, description, traits and picture. A token's URI is asked of its
// contract (ERC-721's tokenURI, ERC-1155's uri), the document is read from where the URI leads, and the picture from where the document
// leads. All of it is the work of strangers: it is read leniently, bounded in size, time and depth, from public hosts only, and passed on
// as plain text and as re-encoded pixels.
//
// What is known is kept, and read again when the contract announces a change (ERC-4906), when somebody asks, and by age. Hosts that
// fail, or ask to be left alone, are.
package metadata
