"""Types of NumPy arrays, by element; `Masks` and `Solutions` are of any unsigned type that holds them."""

from typing import Any

import numpy as np
import numpy.typing as npt

UInt64Array = npt.NDArray[np.uint64]
BoolArray = npt.NDArray[np.bool_]
Masks = npt.NDArray[np.unsignedinteger[Any]]
Solutions = npt.NDArray[np.unsignedinteger[Any]]
Int64Array = npt.NDArray[np.int64]
UInt16Array = npt.NDArray[np.uint16]
Int8Array = npt.NDArray[np.int8]
Int32Array = npt.NDArray[np.int32]
