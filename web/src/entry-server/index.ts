// The order matters: the modules of the pages already look for what the engine lacks.
import './engine'
import './render'
