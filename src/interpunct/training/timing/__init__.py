"""Training of the model that reads times: recipe → stretches of calls → network, gate → ONNX."""
