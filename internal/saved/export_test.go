package saved

// MoveUpTo is Move onto a shorter list.
var MoveUpTo = move
